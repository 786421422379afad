//! Does a table that is written read back as it was?
