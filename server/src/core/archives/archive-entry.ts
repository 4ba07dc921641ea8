/** What an archive says of one of its members, before anything of it is unpacked. */
export interface ArchiveEntry {
  /** As the archive spells it. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
  /** Unpacks at most so many bytes; one more says that there are more. */
  read(maxBytes: number): Buffer
}

/** The archive is broken, or of a kind that is not read; the words follow "The archive cannot be read: ". */
export class BrokenArchive extends Error {}

/** More members than any project has: the rest is not even looked at. */
export const maxArchiveEntries = 20_000
