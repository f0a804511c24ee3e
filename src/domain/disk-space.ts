/** With less than this free the next big commit may not fit: no run begins, and the hall is not well. */
export const LOW_DISK_BYTES = 256 * 1024 ** 2;
