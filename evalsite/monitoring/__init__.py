"""How the site is: for a load balancer, for Prometheus, and in words for participants. A package without models."""
