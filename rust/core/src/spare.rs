//! Memory that nothing uses any more, given back to the system.

/// Gives back the pages that were freed in the middle of what the allocator holds.
/// Facts of thousands of files are freed between those that stay; glibc keeps such
/// pages for itself, and a scan of a large corpus would seem to need them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn give_back() {
    // SAFETY: it asks for nothing but the C library's own allocator, which other
    // threads may use meanwhile, and touches no memory that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Other allocators give back on their own.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back() {}
