"""What other sites take of a task and its boards: records of results, the data set, the picture beside a link."""
