//! Reads coding-agent transcripts into Arrow tables.
