/** Below this the next big commit may not fit: no run starts, and the hall reports itself unhealthy. */
export const LOW_DISK_BYTES = 256 * 1024 ** 2;
