"""The results of a review: evaluations, directives, waivers, and the effects of fixes."""
