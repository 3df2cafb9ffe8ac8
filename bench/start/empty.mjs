// What any program takes to start and to end.
