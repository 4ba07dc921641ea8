/** Where entries are kept. A scan with another engine, other options or other rules needs another one. */
export interface Memory {
  /** Different for different texts. */
  digest(text: string): string
  find(key: string): string | undefined
  keep(key: string, entry: string): void
}
