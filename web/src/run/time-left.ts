/** How long the rest takes if it goes on as before, in words; undefined before there is something to go by. */
export function timeLeft(startedAt: string | null, progress: Progress | null, now: number): string | undefined {
  if (!startedAt || !progress || progress.filesDone === 0 || progress.filesDone >= progress.files) return undefined
  const elapsed = (now - Date.parse(startedAt)) / 1000
  const seconds = Math.ceil((elapsed / progress.filesDone) * (progress.files - progress.filesDone))
  if (!Number.isFinite(seconds) || seconds < 0) return undefined
  return seconds < 90 ? `${Math.max(seconds, 1)} s` : `${Math.ceil(seconds / 60)} min`
}

interface Progress {
  filesDone: number
  files: number
}
