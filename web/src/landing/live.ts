import { page, live as texts } from '../messages/landing.ts'
import { exampleName, exampleSource } from '../playground/example.ts'
import { lineRange } from '../playground/line-range.ts'
import { createLiveScanner, type LiveAnswer } from '../playground/live-scanner.ts'
import { keepDraft, keepTyped, leaveDraft } from '../scan-form/draft.ts'
import { fileNameOf } from '../scan-form/suggest-project.ts'
import { numbersOf } from './line-numbers.ts'
import { createLivePanel } from './live-panel.ts'
import { marksHtml } from './panel-html.ts'

const PAUSE_MS = 250
/** Beyond this a scan takes longer than the pause between two letters, and a text field stalls: the application shows it. */
const longestLive = 100_000
const LINE_PX = 20
const SHOWN_LINES = 22

export interface Playground {
  source: HTMLTextAreaElement
  name: HTMLInputElement
  scan: HTMLButtonElement
  numbers: HTMLElement
  layer: HTMLElement
  problem: HTMLElement
  result: HTMLElement
  /** What was done to the example: shown beside nothing else. */
  exploit: HTMLElement
  isMember(): boolean
}

/** The playground of the first page, once somebody uses it: the page is read, and its example shown, without. */
export function createPlayground({
  source,
  name,
  scan,
  numbers,
  layer,
  problem,
  result,
  exploit,
  isMember,
}: Playground) {
  let timer = 0
  let isLoading = true
  let ownName = exampleName
  const scanner = createLiveScanner((answer) => {
    isLoading = false
    show(answer)
  })
  const panel = createLivePanel(result, () => (isMember() ? texts.keepResult : page.signUpKeepResult))
  source.addEventListener('input', onText)
  // What was typed before, or kept by the browser over a reload, has no result yet.
  if (source.value !== source.defaultValue) onText()
  document.addEventListener('click', ({ target }) => {
    const isLeaving = target instanceof Element && target.closest('a[href="/register"], a[href="/login"]')
    const isTyped = source.value !== exampleSource && source.value.trim() !== ''
    if (isLeaving && isTyped) keepTyped({ source: source.value, name: name.value }, sessionStorage)
  })

  function onText(): void {
    const isExample = source.value === exampleSource
    exploit.hidden = !isExample
    if (name.value === ownName) name.value = ownName = isExample ? exampleName : fileNameOf(source.value)
    numbers.textContent = numbersOf(source.value)
    scan.disabled = source.value.trim() === ''
    if (isLoading && source.value !== source.defaultValue) panel.say(texts.loadingScanner)
    else panel.isOutdated(true)
    clearTimeout(timer)
    timer = window.setTimeout(scanNow, PAUSE_MS)
  }

  function scanNow(): void {
    const text = source.value
    if (text.trim() === '') panel.say(texts.nothingScanYet)
    else if (text.length > longestLive) panel.say(texts.tooLongLiveScanning)
    else scanner.scan(text)
  }

  function show(answer: LiveAnswer): void {
    const isCurrent = answer.source === source.value
    panel.show(answer)
    panel.isOutdated(!isCurrent)
    for (const mark of layer.querySelectorAll('[data-marked-line]')) mark.remove()
    if (isCurrent && answer.kind === 'result') layer.insertAdjacentHTML('afterbegin', marksHtml(answer.result))
  }

  function setSource(text: string, fileName: string): void {
    source.value = text
    name.value = fileName
    // A file keeps its name, whatever is typed into it.
    ownName = text === exampleSource ? fileName : ''
    source.scrollTop = 0
    onText()
  }

  /** The whole result is the application's to show: only now it is loaded, into this page, so that the source stays where it is. */
  async function scanInApplication(text = source.value, fileName = name.value): Promise<void> {
    scan.disabled = true
    scan.textContent = 'Scanning'
    try {
      const { startApplication } = await import('../main.tsx')
      scanner.close()
      leaveDraft({ source: text, name: fileName })
      history.pushState(null, '', '/try')
      startApplication(document.body)
    } catch {
      problem.textContent = texts.resultCouldNotLoaded
      scan.disabled = false
      scan.textContent = page.scanHere
    }
  }

  return {
    showExample: () => setSource(exampleSource, exampleName),
    scanInApplication,
    showLine(line: number): void {
      const { start, end } = lineRange(source.value, line)
      source.focus()
      source.setSelectionRange(start, end)
      source.scrollTop = Math.max(0, (line - SHOWN_LINES / 2) * LINE_PX)
    },
    async takeFile(file: File): Promise<void> {
      const isOne = /\.sol$/i.test(file.name)
      problem.textContent = isOne ? '' : texts.scansOneSolFile
      if (!isOne) return
      const text = await file.text()
      if (text.length > longestLive) await scanInApplication(text, file.name)
      else setSource(text, file.name)
    },
    keep(): void {
      keepDraft({ source: source.value, name: name.value }, sessionStorage)
      location.assign(isMember() ? '/home' : '/register')
    },
  }
}
