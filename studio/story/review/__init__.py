"""What is said of a chapter: evaluations, directives, waivers, and what a fix did."""
