/** A trial installation on the reader's own machine, which posts to plain http there. */
export const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
