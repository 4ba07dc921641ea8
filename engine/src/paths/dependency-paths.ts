/** What npm installs, and other people's code that was copied into the sources. */
const othersFolders = /^(node_modules|vendor|vendored|third[-_]?party)$/i
/** Where forge and Soldeer keep other people's code: beside the folder of sources. Below it, it is a folder of the project like any other. */
const dependencyFolders = /^(lib|dependencies)$/i
const sourceFolders = /^(src|contracts)$/i

/** How Hardhat names the sources of packages: by their npm scope, or with their version. */
const packagePath = /^(@[^/]+\/[^/]+\/|npm\/(@[^/]+\/)?[^/@]+@[^/]+\/)/

/** Which of these files are other people's code, read so that those of the project are understood. */
export function findDependencies(paths: readonly string[]): (path: string) => boolean {
  const foldersOf = (path: string): string[] => path.split('/').slice(0, -1)
  const above = (folders: readonly string[], at: number): string => folders.slice(0, at).join('/')
  const projects = new Set([''])
  for (const folders of paths.map(foldersOf))
    for (const [at, folder] of folders.entries()) if (sourceFolders.test(folder)) projects.add(above(folders, at))
  return (path) =>
    packagePath.test(path) ||
    foldersOf(path).some(
      (folder, at, folders) =>
        othersFolders.test(folder) || (dependencyFolders.test(folder) && projects.has(above(folders, at))),
    )
}
