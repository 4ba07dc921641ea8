import { NoSources, type VerifiedSources } from '../gateways/explorer.ts'
import { layOutSources as texts } from '../messages/fetch.ts'

const maxFiles = 2000
const maxPathLength = 400

/** The files of a folder that any command can scan: the sources, and settings by which their imports are found. */
export function layOutSources({ files, remappings, compiler }: VerifiedSources): ReadonlyMap<string, string> {
  const laidOut = new Map<string, string>()
  // Some disks take two spellings for one name.
  const names = new Set<string>()
  for (const [given, text] of files) {
    const path = safePath(given)
    if (names.has(path.toLowerCase())) throw new NoSources(texts.twice(path))
    names.add(path.toLowerCase())
    if (path.endsWith('.sol')) laidOut.set(path, text)
  }
  const folderNames = [...names].flatMap((path) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, at, parts) => parts.slice(0, at + 1).join('/')),
  )
  const both = folderNames.find((folder) => names.has(folder))
  if (both !== undefined) throw new NoSources(texts.twice(both))
  if (laidOut.size === 0) throw new NoSources(texts.noSolidity)
  if (laidOut.size > maxFiles) throw new NoSources(texts.tooMany(maxFiles))
  const folders = [
    ...new Set([...laidOut.keys()].filter((path) => path.includes('/')).map((path) => path.split('/')[0])),
  ]
  const mapped = [...folders.map((folder) => `${folder}/=${folder}/`), ...remappings.filter(isInside)]
  const settings = [
    texts.writtenBy,
    '[profile.default]',
    'src = "."',
    ...(compiler === undefined ? [] : [`solc = ${JSON.stringify(compiler)}`]),
    // Explorers name the sources of npm packages by the package alone.
    `libs = ${JSON.stringify(folders.filter((folder) => folder?.startsWith('@')))}`,
    `remappings = ${JSON.stringify(mapped, null, 2)}`,
    '',
  ]
  return new Map([...laidOut, ['foundry.toml', settings.join('\n')]])
}

/** An answer of the network never names a place outside of the folder. */
function safePath(given: string): string {
  const path = given.replace(/^[a-z]+:\/\//i, '').replaceAll('\\', '/')
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const isSafe =
    parts.length > 0 &&
    path.length <= maxPathLength &&
    parts.every((part) => part !== '..' && !/[\0-\x1f\x7f:*?"<>|]/.test(part) && !part.startsWith('.'))
  if (!isSafe) throw new NoSources(texts.unsafePath(given.slice(0, 80)))
  return parts.join('/')
}

const isInside = (line: string): boolean => {
  const target = line.slice(line.indexOf('=') + 1)
  return line.includes('=') && !target.startsWith('/') && !target.split('/').includes('..')
}
