"""How fast it is: run by `make bench`, never by the tests."""
