"""Health of the site: for a load balancer, for Prometheus, and in words for participants. A package without models."""
