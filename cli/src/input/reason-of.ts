const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENOENT: 'no such file',
  EMFILE: 'too many open files',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
}

/** The system's reason in words. */
export const reasonOf = (error: NodeJS.ErrnoException): string => reasons[error.code ?? ''] ?? error.message
