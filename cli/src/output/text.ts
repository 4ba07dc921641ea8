import { text as texts } from '../messages/output.ts'
import { byGravity, findCauses, groupByKindAndSeverity, locate } from '../scan/causes.ts'
import { isNew, isScanned, type ProjectScan } from '../scan/outcome.ts'
import { totalsOf } from '../scan/totals.ts'
import { details, fileNotes } from './details.ts'
import { plural } from './plural.ts'
import { printable, printableName } from './printable.ts'
import { headline, kindTable, mostSevere, projectMatters } from './summary.ts'
import type { TextOptions } from './text-options.ts'
import { wrap } from './wrap.ts'

/** The report for a person at a terminal: what matters first, then the code of it. */
export function toText(scan: ProjectScan, options: TextOptions): string {
  const lines = options.isQuiet ? quietLines(scan) : report(scan, options)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** The code is shown at once where there is little of it, else on request: nobody reads a thousand lines from the end. */
function report(scan: ProjectScan, options: TextOptions): string[] {
  const causes = findCauses(locate(scan.outcomes))
  const local = causes.filter(({ isProjectWide }) => !isProjectWide)
  const isShort = local.length <= options.limit
  const contents = new Map(scan.outcomes.filter(isScanned).map(({ path, text }) => [path, text]))
  return [
    ...headline(scan, totalsOf(scan), options),
    ...kindTable(groupByKindAndSeverity(causes), options),
    ...(isShort ? [] : mostSevere(local, options)),
    ...(isShort || options.isDetailed ? details(local, options, (path) => contents.get(path)) : []),
    ...projectMatters(scan, causes, options),
    ...fileNotes(scan, options),
    ...settingLines(scan, options),
    ...lastLines(scan, causes.length, local.length, options),
  ]
}

/** What files of the project set, a line for each file: nothing that came with the source works unseen. */
function settingLines({ settings, hiddenCount }: ProjectScan, { paint, columns }: TextOptions): string[] {
  const files = [...new Set(settings.map(({ file }) => file))]
  const lines = [
    ...files.map((file) => {
      const own = settings.filter((setting) => setting.file === file).map(({ key, value }) => `${key} = ${value}`)
      return printableName(`${file}: ${own.join(' · ')}`)
    }),
    ...(hiddenCount > 0 ? [texts.leftOutOptionsSettings(plural(hiddenCount, 'finding'))] : []),
  ]
  if (lines.length === 0) return []
  return [
    paint('green', 'Settings applied'),
    ...lines.flatMap((line) => wrap(line, columns - 2, '  ').map((each) => paint('dim', each))),
    '',
  ]
}

function lastLines(
  scan: ProjectScan,
  causes: number,
  local: number,
  { paint, limit, isDetailed }: TextOptions,
): string[] {
  const remembered =
    scan.rememberedCount > 0
      ? texts.asRememberedFromEarlier(scan.rememberedCount, plural(scan.outcomes.length, 'file'))
      : ''
  const time = paint('dim', `Scanned in ${duration(scan.milliseconds)}${remembered}.`)
  const located = locate(scan.outcomes).sort(byGravity)
  const first = located[0]?.finding
  const fixed = scan.outcomes
    .filter(isScanned)
    .reduce((sum, { result }) => sum + ('baseline' in result ? result.baseline.fixedCount : 0), 0)
  const hints = [
    ...(local > limit && !isDetailed ? [texts.codeTracesAllDetails(plural(causes, 'finding'))] : []),
    ...(first ? [texts.moreAboutFindingAssay(first.vulnerabilityId ?? first.detector)] : []),
  ]
  return [
    ...(fixed > 0 ? [paint('green', texts.fixedSinceBaseline(fixed))] : []),
    [time, ...hints.map((hint) => paint('dim', hint))].join(paint('dim', ' · ')),
  ]
}

const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`

/** For editors, hooks and greps: file by file, the most severe first; of a baseline only what is not in it. */
function quietLines({ outcomes }: ProjectScan): string[] {
  return outcomes.flatMap((outcome) => {
    const path = printableName(outcome.path)
    if (!isScanned(outcome)) return [`${path}: error: ${printable(outcome.error)}`]
    return locate([outcome])
      .filter(({ finding }) => isNew(finding))
      .sort(byGravity)
      .map(
        ({ finding }) =>
          `${path}:${finding.line}:${finding.column}: ${finding.severity}: ${finding.vulnerabilityId ?? finding.detector}: ${printable(finding.message)}`,
      )
  })
}
