/**
 * The maximum size of an API request in bytes. A preview may contain a payload as large as the
 * largest delivery by default. Every other call has a lower limit.
 */
export const maxApiBodyBytes = 10 * 1024 * 1024;
