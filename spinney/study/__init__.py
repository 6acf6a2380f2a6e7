"""The comparisons of the papers, their report, and tuning."""
