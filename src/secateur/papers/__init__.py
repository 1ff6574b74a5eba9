"""What the figures of the papers show, run again: curves, measurements, claims and plots."""
