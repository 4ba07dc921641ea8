import { reasonOf as texts } from '../messages/input.ts'

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: texts.itIsAFolder,
  ENOTDIR: texts.partPathNotFolder,
  ENOENT: texts.noSuchFile,
  EMFILE: texts.tooManyOpenFiles,
  ENOSPC: texts.noSpaceLeft,
  EROFS: texts.fileSystemReadOnly,
}

/** The system's reason in words. */
export const reasonOf = (error: NodeJS.ErrnoException): string => reasons[error.code ?? ''] ?? error.message
