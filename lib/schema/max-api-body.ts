/**
 * Of a request to the API, in bytes: that of a preview, which may bring a payload as large as the largest delivery by default. Every
 * other call has a smaller limit of its own.
 */
export const maxApiBodyBytes = 10 * 1024 * 1024;
