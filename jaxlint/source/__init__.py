"""Bytes to text: encodings, line index, suppression comments, walking folders."""
