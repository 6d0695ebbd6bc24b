/**
 * By how much a lease may end later than its length from now and still hold, in milliseconds. A statement takes its time before
 * it waits for its turn, and the lease may be renewed meanwhile.
 */
export const leaseSlackMs = 10_000;
