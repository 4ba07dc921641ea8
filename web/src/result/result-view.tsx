import { Maximize, Minimize } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useAliases } from '../api/detectors.ts'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { type SourceMark, SourceView } from '../components/source-view.tsx'
import { Empty } from '../components/surfaces.tsx'
import { useKeys } from '../components/use-keys.ts'
import { useLatest } from '../components/use-latest.ts'
import { useMedia } from '../components/use-media.ts'
import { resultView as texts } from '../messages/result.ts'
import { DecideTogether, DecisionWords, StatusPanel } from './decision-form.tsx'
import {
  type Decide,
  type Decision,
  type Drafts,
  nextAfter,
  stateWords,
  type Triage,
  takeBack,
  toggleMarks,
  withDraft,
} from './decisions.ts'
import { ExcerptView } from './excerpt.tsx'
import { Explanation, type TestHref } from './explanation.tsx'
import { FileTree } from './file-tree.tsx'
import { applyFilter, countChips } from './filter.ts'
import { Filters } from './filters.tsx'
import { FindingList } from './finding-list.tsx'
import { groupFindings } from './group.ts'
import { KeyHelp } from './key-help.tsx'
import { linesOfCode } from './lines-of-code.ts'
import { OpinionSummary } from './opinion.tsx'
import { compareFindings } from './order.ts'
import { Overview } from './overview.tsx'
import { PaneBorder, usePaneWidths } from './panes.tsx'
import { PrintList } from './print-list.tsx'
import {
  type FindingRecord,
  type ListedFinding,
  listFindings,
  type StateOf,
  type ViewPlace,
  type ViewScan,
  type ViewSource,
} from './scan-view.ts'
import { Toast } from './toast.tsx'
import { filterOf, type ResultSearch, withFilter } from './url-state.ts'
import { useChosen } from './use-chosen.ts'
import { useDefinitions } from './use-definitions.ts'
import { useRestOfWindow } from './use-rest-of-window.ts'

/** One scan as a place to work: what to look at first, where it stands in the code, and why. */
export function ResultView({
  scan,
  sources,
  search,
  onSearch,
  actions,
  triage,
  stateOf,
  testHref,
  addFiles,
}: {
  scan: ViewScan
  /** None where the reader may not see them. */
  sources: readonly ViewSource[]
  search: ResultSearch
  /** What was decided about the findings, and how to decide; a scan in the browser alone has neither. */
  triage?: Triage | undefined
  /** What a link shares of that. */
  stateOf?: StateOf | undefined
  /** Where the Foundry test of a confirmed finding lies; a scan in the browser alone has none. */
  testHref?: TestHref | undefined
  /** Choosing a finding is a step back can undo; typing a filter is not. */
  onSearch: (search: ResultSearch, step: 'push' | 'replace') => void
  actions?: ReactNode
  /** Where files that are missing can be added. */
  addFiles?: ReactNode
}) {
  const recordOf = triage?.recordOf
  const all = useMemo(() => listFindings(scan, recordOf, stateOf).sort(compareFindings), [scan, recordOf, stateOf])
  const lines = useMemo(() => linesOfCode(sources, scan), [sources, scan])
  const opinion = scan.aiAnalysis && <OpinionSummary opinion={scan.aiAnalysis} hasReport={triage !== undefined} />
  if (all.length === 0)
    return (
      <div className="space-y-4">
        <Overview scan={scan} all={all} lines={lines} actions={actions} addFiles={addFiles} />
        {opinion}
        <Empty title="No findings">{texts.doesNotGuaranteeContract}</Empty>
        {sources[0] && (
          <div className="overflow-hidden rounded-lg border border-line">
            <SourceView source={sources[0].text} marks={[]} focus={null} />
          </div>
        )}
      </div>
    )
  return (
    <div className="space-y-4">
      <Overview scan={scan} all={all} lines={lines} actions={actions} addFiles={addFiles} />
      {opinion}
      <Workbench
        all={all}
        sources={sources}
        search={search}
        onSearch={onSearch}
        decide={triage?.decide}
        testHref={testHref}
      />
      <PrintList items={all} />
    </div>
  )
}

function Workbench({
  all,
  sources,
  search,
  onSearch,
  decide,
  testHref,
}: {
  all: readonly ListedFinding[]
  sources: readonly ViewSource[]
  search: ResultSearch
  decide: Decide | undefined
  testHref: TestHref | undefined
  onSearch: (search: ResultSearch, step: 'push' | 'replace') => void
}) {
  const { sev, conf, q } = search
  const filter = useMemo(
    () => filterOf({ ...(sev && { sev }), ...(conf && { conf }), ...(q && { q }) }),
    [sev, conf, q],
  )
  const grouping = search.by ?? 'kind'
  const aliases = useAliases(filter.query !== '')
  const filtered = useMemo(() => applyFilter(all, filter, aliases), [all, filter, aliases])
  const groups = useMemo(() => groupFindings(filtered.shown, grouping), [filtered.shown, grouping])
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups])
  const counts = useMemo(() => countChips(all), [all])
  const [chosen, choose] = useChosen(search, onSearch)
  const selected = items.find((item) => item.key === chosen) ?? items[0] ?? null
  const [place, setPlace] = useState<ViewPlace | null>(null)
  const [step, setStep] = useState(-1)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isCodeFull, setCodeFull] = useState(false)
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [drafts, setDrafts] = useState<Drafts>(new Map())
  const statusMenu = useState(false)
  const [, setStatusOpen] = statusMenu
  const [undoable, setUndoable] = useState<{ words: string; undo: () => Promise<void> } | null>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const bench = useRef<HTMLDivElement>(null)
  useRestOfWindow(bench)
  const panes = usePaneWidths(bench)
  const isPhone = useMedia('(max-width: 767px)')
  const shownPlace = place ?? selected?.finding ?? null
  const source = sources.find(({ path }) => path === shownPlace?.file) ?? sources[0]

  const select = useLatest((item: ListedFinding) => {
    setPlace(null)
    setStep(-1)
    choose(item.key)
  })
  const mark = useLatest((some: readonly ListedFinding[]) => setMarked((marks) => toggleMarks(marks, some)))
  const together = all.flatMap(({ key, record }) => (record && marked.has(key) ? record : []))
  /** What is dismissed moves to the end of the list; the reader goes on with what came after it. */
  const goOn = (records: readonly FindingRecord[]) => {
    const decided = new Set(records)
    const keys = new Set(items.flatMap(({ key, record }) => (record && decided.has(record) ? key : [])))
    const next = selected && keys.has(selected.key) && nextAfter(items, selected, keys)
    if (next) select(next)
    setMarked(new Set())
  }
  const decideAndGoOn = async (records: readonly FindingRecord[], decision: Decision) => {
    await decide?.(records, decision)
    const words = texts.statusChanged(records.length, stateWords[decision.state].toLowerCase())
    const undo = async () => {
      if (decide) await takeBack(records, decide)
      setUndoable(null)
      if (selected) select(selected)
    }
    setUndoable({ words, undo })
    goOn(records)
  }
  const status = (item: ListedFinding) =>
    !decide ? (
      item.state && (
        <div className="mb-3 text-sm">
          {texts.statusIs(stateWords[item.state])}
          {item.record && <DecisionWords record={item.record} />}
        </div>
      )
    ) : item.record ? (
      <StatusPanel
        key={item.key}
        record={item.record}
        control={together.length > 0 ? undefined : statusMenu}
        decide={decideAndGoOn}
        draft={drafts.get(item.key)}
        onDraft={(draft) => setDrafts((all) => withDraft(all, item.key, draft))}
      />
    ) : null
  const moveBy = (by: number) => {
    const at = selected ? items.indexOf(selected) : -1
    const next = items[Math.min(Math.max(at + by, 0), items.length - 1)]
    if (next && next !== selected) select(next)
  }
  const stepBy = (by: number) => {
    const trace = traceOf(selected)
    if (trace.length === 0) return
    const next = Math.min(Math.max(step + by, 0), trace.length - 1)
    setStep(next)
    setPlace({ ...(trace[next] as ViewPlace) })
  }
  const definitions = useDefinitions(sources, source?.path, shownPlace, setPlace)
  const selectLine = useLatest((line: number) => {
    const isThere = ({ finding }: ListedFinding) =>
      finding.line === line && (finding.file === undefined || finding.file === source?.path)
    const item = items.find(isThere)
    if (item) select(item)
    // Another finding on this line is kept out by the filter: the mark says that it is there, so show it.
    else {
      const hidden = all.find(isThere)
      if (hidden) onSearch({ f: hidden.key, ...(search.by && { by: search.by }) }, 'push')
    }
  })
  const openSheet = useLatest(() => setSheetOpen(true))
  useKeys({
    j: () => moveBy(1),
    k: () => moveBy(-1),
    x: () => decide && selected && mark([selected]),
    s: () => setStatusOpen(true),
    u: () => undoable?.undo(),
    f: () => setCodeFull(!isCodeFull && source !== undefined),
    ...(isCodeFull && { Escape: () => setCodeFull(false) }),
    '/': () => searchField.current?.focus(),
    '[': () => stepBy(-1),
    ']': () => stepBy(1),
    '?': () => setHelpOpen(true),
    b: definitions.back,
  })
  // A new object for each place, so that the view scrolls there again even if it is the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the finding stands for its place
  const focus = useMemo(() => (shownPlace ? { ...shownPlace } : null), [place, selected])
  const marks = useMemo(() => marksOf(all, source?.path), [all, source?.path])
  const steps = useMemo(() => stepsOf(selected, source?.path), [selected, source?.path])

  const path = source?.path
  const toolbar = useMemo(
    () => path !== undefined && <CodeBar path={path} isFull={isCodeFull} onToggle={() => setCodeFull(!isCodeFull)} />,
    [path, isCodeFull],
  )

  return (
    <div ref={bench} className={`bench print:hidden ${source ? '' : 'bench-without-code'}`}>
      <div className="flex max-h-[70dvh] min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-panel [grid-area:list] md:max-h-none">
        <Filters
          filter={filter}
          onFilter={(next) => onSearch(withFilter(search, next), 'replace')}
          grouping={grouping}
          onGrouping={(by) => onSearch({ ...search, by }, 'replace')}
          counts={counts}
          filtered={filtered}
          total={all.length}
          hasFiles={sources.length > 1}
          searchRef={searchField}
        />
        {decide && together.length > 0 && (
          <DecideTogether
            records={together}
            control={statusMenu}
            decide={decideAndGoOn}
            onClear={() => setMarked(new Set())}
          />
        )}
        <div className="min-h-32 flex-1">
          {items.length === 0 ? (
            <p className="p-4 text-sm text-soft">{texts.noFindingsMatchFilter}</p>
          ) : (
            <FindingList
              groups={groups}
              home={sources.length === 1 ? sources[0]?.path : undefined}
              selected={selected}
              onSelect={select}
              onOpen={isPhone ? openSheet : undefined}
              marked={marked}
              onMark={decide && mark}
            />
          )}
        </div>
        <button
          type="button"
          className="hidden cursor-pointer border-t border-line px-3 py-1.5 text-left text-xs text-soft hover:bg-sunken md:block"
          onClick={() => setHelpOpen(true)}
        >
          Keys: <kbd>j</kbd> <kbd>k</kbd>
          {texts.nextPrevious}
          {decide && (
            <>
              <kbd>s</kbd>
              {texts.status}
            </>
          )}
          <kbd>?</kbd>
          {texts.allThem}
        </button>
      </div>
      {isPhone ? (
        selected && (
          <Dialog title={selected.finding.title} open={isSheetOpen} onClose={() => setSheetOpen(false)} sheet>
            {source && <ExcerptView source={source.text} place={shownPlace ?? selected.finding} steps={steps} />}
            <Explanation
              item={selected}
              sources={sources}
              onJump={setPlace}
              status={status(selected)}
              testHref={testHref}
            />
          </Dialog>
        )
      ) : (
        <>
          <PaneBorder label={texts.listWidth} area="left" pane={panes.list} />
          {source && (
            <div
              className={`flex min-h-0 min-w-0 flex-col overflow-hidden border border-line bg-panel [grid-area:code] ${isCodeFull ? 'fixed inset-0 z-30' : 'rounded-lg'}`}
            >
              {sources.length > 1 && <FileTree all={all} sources={sources} path={source.path} onChoose={setPlace} />}
              <div className="min-h-0 flex-1">
                <SourceView
                  source={source.text}
                  marks={marks}
                  focus={focus}
                  selected={shownPlace}
                  steps={steps}
                  onSelectLine={selectLine}
                  onDefinition={definitions.goTo}
                  height="fill"
                  toolbar={toolbar}
                />
              </div>
            </div>
          )}
          {source && <PaneBorder label={texts.explanationWidth} area="right" pane={panes.side} />}
          <section
            aria-label="Explanation"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
            tabIndex={0}
            className="relative min-h-0 min-w-0 overflow-y-auto rounded-lg border border-line bg-panel [grid-area:side]"
          >
            {selected ? (
              <Explanation
                item={selected}
                sources={sources}
                onJump={setPlace}
                status={status(selected)}
                testHref={testHref}
              />
            ) : (
              <p className="p-4 text-sm text-soft">{texts.noFindingSelected}</p>
            )}
          </section>
        </>
      )}
      {definitions.problem && (
        <Toast key={definitions.problem} onClose={definitions.forget}>
          {definitions.problem}
        </Toast>
      )}
      <KeyHelp open={isHelpOpen} onClose={() => setHelpOpen(false)} />
      {undoable && (
        <Toast key={undoable.words} onUndo={undoable.undo} onClose={() => setUndoable(null)}>
          {undoable.words}
        </Toast>
      )}
    </div>
  )
}

function CodeBar({ path, isFull, onToggle }: { path: string; isFull: boolean; onToggle: () => void }) {
  const words = isFull ? texts.leaveFullScreen : texts.fullScreen
  const Icon = isFull ? Minimize : Maximize
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
        {path}
      </span>
      <Button look="quiet" className="text-xs" aria-label={words} title={`${words} (f)`} onClick={onToggle}>
        <Icon size={14} aria-hidden="true" />
      </Button>
    </span>
  )
}

const isIn = (place: ViewPlace, path: string | undefined): boolean => place.file === undefined || place.file === path

const marksOf = (all: readonly ListedFinding[], path: string | undefined): SourceMark[] =>
  all.flatMap(({ finding }) =>
    [finding, ...(finding.places ?? [])]
      .filter((place) => isIn(place, path))
      .map(({ line }) => ({
        line,
        severity: finding.severity,
        label: [finding.vulnerabilityId, finding.title].filter(Boolean).join(' '),
      })),
  )

const stepsOf = (selected: ListedFinding | null, path: string | undefined) =>
  traceOf(selected).flatMap((step, index) => (isIn(step, path) ? [{ ...step, number: index + 1 }] : []))

/** A step that names no file is in the file of its finding. */
const traceOf = (selected: ListedFinding | null): ViewPlace[] =>
  (selected?.finding.trace ?? []).map((step) => ({ ...step, file: step.file ?? selected?.finding.file }))
