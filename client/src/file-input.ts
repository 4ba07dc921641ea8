/** A file to upload: a `File`, bytes or a text with its name (in a project: its path). */
export type FileInput = File | { readonly name: string; readonly content: string | Blob | Uint8Array<ArrayBuffer> }
