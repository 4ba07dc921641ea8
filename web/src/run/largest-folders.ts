/** The folders with the most of these files, two levels deep: what to leave out first. None where all files are in one. */
export function largestFolders(paths: readonly string[], most = 3): { folder: string; files: number }[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.split('/').slice(0, -1).slice(0, 2).join('/')
    if (folder !== '') counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  if (counts.size < 2) return []
  return [...counts]
    .map(([folder, files]) => ({ folder, files }))
    .sort((a, b) => b.files - a.files || a.folder.localeCompare(b.folder))
    .slice(0, most)
}
