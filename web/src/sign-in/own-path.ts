/** Only a path of this site: `//elsewhere` would leave it. */
export const isOwnPath = (path: string | null | undefined): path is string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path)
