/** An attachment under the client's own name: plain for old readers, exact for the rest (RFC 6266). */
export function attachment(name: string): string {
  const base = name.split('/').at(-1) || 'download'
  const plain = base.replace(/[^\w.() -]/g, '_')
  const exact = encodeURIComponent(base).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return plain === base
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** `Vault.sol` and `md` → `Vault.md`. */
export const withExtension = (name: string, extension: string): string =>
  `${(name.split('/').at(-1) ?? '').replace(/\.(sol|zip|tar\.gz|tgz)$/i, '') || 'report'}.${extension}`
