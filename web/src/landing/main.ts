import './landing.css'
import { main as texts } from '../messages/landing.ts'
import { exampleName, exampleSource } from '../playground/example.ts'
import { lineRange } from '../playground/line-range.ts'
import { createLiveScanner, type LiveAnswer, type LiveScanner } from '../playground/live-scanner.ts'
import { keepDraft, leaveDraft } from '../scan-form/draft.ts'
import { createLivePanel } from './live-panel.ts'
import { looks } from './looks.ts'
import { ids, keepWords, numbersOf } from './page.ts'
import { marksHtml } from './panel-html.ts'

const PAUSE_MS = 250
/** Beyond this a scan takes longer than the pause between two letters, and a text field stalls: the application shows it. */
const longestLive = 100_000
const LINE_PX = 20
const SHOWN_LINES = 22

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T

const source = find<HTMLTextAreaElement>(ids.source)
const name = find<HTMLInputElement>(ids.name)
const picker = find<HTMLInputElement>(ids.picker)
const layer = find(ids.layer)

let scanner: LiveScanner | null = null
let timer = 0
let isMember = false

const panel = createLivePanel(find(ids.result), {
  onLine: showLine,
  onKeep: keep,
  keepWords: () => (isMember ? texts.keepResult : keepWords),
})

source.addEventListener('input', onText)
source.addEventListener('focus', wake)
source.addEventListener('pointerenter', wake)
source.addEventListener('scroll', () => {
  layer.style.transform = `translateY(${-source.scrollTop}px)`
})
source.addEventListener('dragover', (event) => event.preventDefault())
source.addEventListener('drop', (event) => {
  const file = event.dataTransfer?.files[0]
  if (!file) return
  event.preventDefault()
  void takeFile(file)
})
picker.addEventListener('change', () => picker.files?.[0] && void takeFile(picker.files[0]))
find(ids.choose).addEventListener('click', () => picker.click())
find(ids.example).addEventListener('click', () => setSource(exampleSource, exampleName))
find(ids.scan).addEventListener('click', () => scanInApplication(source.value, name.value))
find(ids.theme).addEventListener('click', swapTheme)
for (const id of [ids.choose, ids.example, ids.theme]) find<HTMLButtonElement>(id).disabled = false
for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const words = (button.dataset.copy ?? '').replaceAll('$ASSAY_URL', location.origin)
  button.dataset.copy = words
  const code = button.closest('div')?.parentElement?.querySelector('code')
  if (code) code.textContent = words
  button.addEventListener('click', () => void copy(button))
}
nameTheme()
void greet()
// The example's result is in the page; what was typed before the script came, or kept by the browser over a reload, is not.
if (source.value !== exampleSource) {
  onText()
  wake()
} else find<HTMLButtonElement>(ids.scan).disabled = false

function onText(): void {
  find(ids.numbers).textContent = numbersOf(source.value)
  find<HTMLButtonElement>(ids.scan).disabled = source.value.trim() === ''
  panel.isOutdated(scanner !== null)
  clearTimeout(timer)
  timer = window.setTimeout(scan, PAUSE_MS)
}

/** The engine is loaded when someone is about to type, not before. */
function wake(): void {
  if (scanner) return
  scanner = createLiveScanner(onAnswer)
  if (source.value === exampleSource) return
  panel.say(texts.loadingScanner)
  scan()
}

function scan(): void {
  const text = source.value
  if (text.trim() === '') panel.say(texts.nothingScanYet)
  else if (text.length > longestLive) panel.say(texts.tooLongLiveScanning)
  else scanner?.scan(text)
}

function onAnswer(answer: LiveAnswer): void {
  const isCurrent = answer.source === source.value
  panel.show(answer)
  panel.isOutdated(!isCurrent)
  for (const mark of layer.querySelectorAll('[data-marked-line]')) mark.remove()
  if (isCurrent && answer.kind === 'result') layer.insertAdjacentHTML('afterbegin', marksHtml(answer.result))
}

function showLine(line: number): void {
  const { start, end } = lineRange(source.value, line)
  source.focus()
  source.setSelectionRange(start, end)
  source.scrollTop = Math.max(0, (line - SHOWN_LINES / 2) * LINE_PX)
}

function setSource(text: string, fileName: string): void {
  source.value = text
  name.value = fileName
  source.scrollTop = 0
  onText()
}

async function takeFile(file: File): Promise<void> {
  const isOne = /\.sol$/i.test(file.name)
  find(ids.problem).textContent = isOne ? '' : texts.scansOneSolFile
  if (!isOne) return
  const text = await file.text()
  if (text.length > longestLive) return scanInApplication(text, file.name)
  setSource(text, file.name)
  wake()
}

/** The whole result is the application's to show: only now it is loaded, into this page, so that the source stays where it is. */
async function scanInApplication(text: string, fileName: string): Promise<void> {
  const button = find<HTMLButtonElement>(ids.scan)
  button.disabled = true
  button.textContent = 'Scanning'
  try {
    const { startApplication } = await import('../main.tsx')
    scanner?.close()
    leaveDraft({ source: text, name: fileName })
    history.pushState(null, '', '/try')
    startApplication(document.body)
  } catch {
    find(ids.problem).textContent = texts.resultCouldNotLoaded
    button.disabled = false
    button.textContent = texts.scanBrowser
  }
}

function keep(): void {
  keepDraft({ source: source.value, name: name.value }, sessionStorage)
  location.assign(isMember ? '/home' : '/register')
}

/** Anyone who is logged in is shown the way to their own pages. */
async function greet(): Promise<void> {
  // As `api/known-account.ts` keeps it: an import would load the application.
  if (localStorage.getItem('assay-account') === null) return
  const answer = await fetch('/api/me').catch(() => undefined)
  // An answer that nobody reads keeps its connection.
  await answer?.text()
  if (!answer?.ok) return
  isMember = true
  const home = document.createElement('a')
  home.href = '/home'
  home.className = looks.primary
  home.textContent = 'Home'
  find(ids.entrance).replaceChildren(home)
  const [first, ...offers] = document.querySelectorAll<HTMLAnchorElement>('main a[href="/register"]')
  if (first) {
    first.href = '/scan'
    first.textContent = texts.scanContract
  }
  for (const offer of offers) offer.href = '/plan'
}

async function copy(button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(button.dataset.copy ?? '')
  const words = button.querySelector('span')
  if (!words) return
  words.textContent = 'Copied'
  setTimeout(() => {
    words.textContent = 'Copy'
  }, 2000)
}

/** The button offers the other one. */
function nameTheme(): void {
  const isDark = document.documentElement.dataset.theme === 'dark'
  find(ids.theme).setAttribute('aria-label', texts.switchTheme(isDark ? 'light' : 'dark'))
}

function swapTheme(): void {
  const { dataset } = document.documentElement
  dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark'
  nameTheme()
  try {
    localStorage.setItem('assay-theme', dataset.theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
