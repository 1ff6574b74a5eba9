"""Games in Gambit's extensive-form files (``.efg``): read, checked, and written."""
