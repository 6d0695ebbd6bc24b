/**
 * Tolerance for a lease that ends later than its length from now, in milliseconds. A statement reads the time before it
 * waits for a lock, and the lease may be renewed meanwhile.
 */
export const leaseSlackMs = 10_000;
