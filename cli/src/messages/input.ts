/** Texts of `input/`, by the file that shows them. Texts with values are functions. */

export const collectFiles = {
  noSuchFileFolder: 'no such file or folder',
  leadsOutsideProjectWas: 'It leads outside of the project and was not read; --root names a wider one.',
  noSolFilesFolder: 'no .sol files in this folder.',
  noContractsProjectFolder: (leftOutInWords: string) =>
    `no contracts of the project in this folder, only ${leftOutInWords}; --scope all reports them.`,
  fileOutsideSources: 'file outside the sources',
  filesOutsideSources: 'files outside the sources',
  vendoredFile: 'vendored file',
  vendoredFiles: 'vendored files',
  folderDependencies: 'folder of dependencies',
  foldersDependencies: 'folders of dependencies',
  fileFolderExcluded: 'file or folder that is excluded',
  filesFoldersExcluded: 'files or folders that are excluded',
}

export const readProject = {
  noProject: (root: string) => `no project at ${root}`,
  whatMeantProductCode:
    'What is meant: product, the code that gets deployed; project, also its tests, mocks and scripts; all, also dependencies.',
  onlyFilesMatchTheir: 'Only files that match, by their path from the root of the project.',
  leaveOutFilesFolders: 'Leave out files and folders that match.',
  filePrefixTarget: 'file or prefix=target',
  importRemappingsTheyOverride: 'Import remappings; they override those of the project.',
  readNothingOutsideFolder:
    'Read nothing outside of this folder; default: the repository, workspace or project of the paths, whatever links and imports say.',
}

export const readSource = {
  fileCouldNotRead: (reasonOf: string) => `The file could not be read: ${reasonOf}.`,
  fileLargerThanBytes: (maxSourceBytes: number) => `The file is larger than ${maxSourceBytes} bytes.`,
  fileNotUtfText: 'The file is not UTF-8 text.',
  fileEmpty: 'The file is empty.',
}

export const reasonOf = {
  itIsAFolder: 'it is a folder',
  partPathNotFolder: 'part of the path is not a folder',
  noSuchFile: 'no such file',
  tooManyOpenFiles: 'too many open files',
  noSpaceLeft: 'no space left',
  fileSystemReadOnly: 'the file system is read-only',
}
