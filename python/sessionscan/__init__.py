"""sessionscan: transcripts of coding agents as Arrow tables."""
