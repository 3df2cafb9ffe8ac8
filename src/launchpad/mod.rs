//! The launchpad's own rules: integer maths only.
