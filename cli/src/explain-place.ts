import { dirname, resolve } from 'node:path'
import { explainWhy, type LineExplanation, syntaxTreeAt } from '@assay/engine'
import { followImports } from './input/follow-imports.ts'
import { isReadable, readSource } from './input/read-source.ts'
import { Complaint, type Io } from './io.ts'
import { explainPlace as texts } from './messages/program.ts'
import type { Paint } from './output/paint.ts'
import { printable, printableName } from './output/printable.ts'
import { createBoundary } from './project/boundary.ts'
import { createProjectFinder } from './project/find-project.ts'
import { createImportResolver } from './project/resolve-import.ts'
import { findDetectors, unknownDetector } from './scan/find-detectors.ts'

/** `explain --why Vault.sol:42 [detectors…]`: what is reported on a line, and what was weighed and passed over. */
export async function explainPlace(place: string, names: readonly string[], paint: Paint, io: Io): Promise<string> {
  const wanted = new Set(names.flatMap(idsOf))
  const { source, path, location, line, boundary } = await readPlace(place, io)
  const findProject = createProjectFinder({
    foundryProfile: io.environment.FOUNDRY_PROFILE ?? 'default',
    boundary,
  })
  const resolving = { project: findProject(dirname(location)), remappings: [], folder: io.folder, boundary }
  const { imported, targets } = await followImports([{ ...source, location }], createImportResolver(resolving), io)
  const explanation = explainWhy([source, ...imported], path, line, { importTargets: targets })
  return describe(place, explanation, ({ detector }) => wanted.size === 0 || wanted.has(detector), paint)
}

/** `explain --ast Vault.sol:42`: the syntax tree of a line. */
export async function explainTree(place: string, io: Io): Promise<string> {
  const { source, line } = await readPlace(place, io)
  const nodes = syntaxTreeAt(source.text, line)
  return nodes.length > 0 ? `${nodes.map(printable).join('\n')}\n` : texts.noNodes(printableName(place))
}

async function readPlace(place: string, io: Io) {
  const [, path, digits] = /^(.+):([1-9]\d*)$/.exec(place) ?? []
  if (path === undefined) throw new Complaint(texts.whySayWhichLine(place))
  const location = resolve(io.folder, path)
  const boundary = createBoundary({ paths: [path] }, io)
  if (!boundary.holds(location)) throw new Complaint(texts.leadsOutsideProjectWas(path))
  const source = await readSource({ path, location }, io)
  if (!isReadable(source)) throw new Complaint(`${path}: ${source.error}`)
  const line = Number(digits)
  const lines = source.text.split('\n').length
  if (line > lines) throw new Complaint(texts.whyFileHasLines(place, lines))
  return { source, path, location, line, boundary }
}

function idsOf(name: string): string[] {
  const found = findDetectors(name)
  if (found.length === 0) throw new Complaint(`${name}: ${unknownDetector(name)}`)
  return found.map(({ id }) => id)
}

function describe(
  place: string,
  { reported, suppressed, silenced }: LineExplanation,
  isWanted: (item: { readonly detector: string }) => boolean,
  paint: Paint,
): string {
  const item = (name: string, words: string) => `  ${paint('bold', name)}  ${printable(words)}`
  const lines = [
    ...section(
      paint('green', 'Reported'),
      reported.filter(isWanted).map(({ detector, message }) => item(detector, message)),
    ),
    ...section(
      paint('green', texts.suppressedComment),
      suppressed.filter(isWanted).map(({ detector, suppression }) => item(detector, suppression.comment)),
    ),
    ...section(
      paint('green', 'Silent'),
      silenced
        .filter(isWanted)
        .map(({ detector, excuse, because }) =>
          item(excuse === null ? detector : `${detector}/${excuse}`, `because ${because}`),
        ),
    ),
  ]
  if (lines.length > 0) return `${lines.join('\n')}\n`
  return texts.nothingCandidateTheseDetectors(printableName(place), paint('bold', 'any'))
}

const section = (title: string, items: readonly string[]): string[] => (items.length === 0 ? [] : [title, ...items])
