import './landing.css'
import { main as texts } from '../messages/first-page.ts'
import { ids } from './ids.ts'

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T

const source = find<HTMLTextAreaElement>(ids.source)
const picker = find<HTMLInputElement>(ids.picker)
const result = find(ids.result)
const layer = find(ids.layer)

let isMember = false

/** Loaded when someone is about to use it, not before; loaded again if it could not be loaded. */
type Playground = ReturnType<typeof import('./live.ts').createPlayground>
let playground: Promise<Playground> | undefined
const wake = (): Promise<Playground> => {
  playground ??= import('./live.ts').then(({ createPlayground }) =>
    createPlayground({
      source,
      name: find(ids.name),
      scan: find(ids.scan),
      numbers: find(ids.numbers),
      layer,
      problem: find(ids.problem),
      result,
      exploit: find(ids.exploit),
      isMember: () => isMember,
    }),
  )
  playground.catch(() => {
    playground = undefined
    find(ids.problem).textContent = texts.scannerCouldNotLoaded
  })
  return playground
}
const use = (act: (playground: Playground) => unknown): void => void wake().then(act, () => undefined)

for (const event of ['focus', 'pointerenter', 'input']) source.addEventListener(event, () => use(() => undefined))
source.addEventListener('scroll', () => {
  layer.style.transform = `translateY(${-source.scrollTop}px)`
})
source.addEventListener('dragover', (event) => event.preventDefault())
source.addEventListener('drop', (event) => {
  const file = event.dataTransfer?.files[0]
  if (!file) return
  event.preventDefault()
  use(({ takeFile }) => takeFile(file))
})
picker.addEventListener('change', () => {
  const file = picker.files?.[0]
  if (file) use(({ takeFile }) => takeFile(file))
})
// The result of the example is in the page already: clicks are heard by the panel, whatever it shows.
result.addEventListener('click', ({ target }) => {
  const { line, keep } = (target instanceof Element ? target.closest('button') : null)?.dataset ?? {}
  if (line !== undefined) use(({ showLine }) => showLine(Number(line)))
  else if (keep !== undefined) use((shown) => shown.keep())
})
find(ids.choose).addEventListener('click', () => picker.click())
find(ids.example).addEventListener('click', () => use(({ showExample }) => showExample()))
find(ids.scan).addEventListener('click', () => use(({ scanInApplication }) => scanInApplication()))
find(ids.theme).addEventListener('click', swapTheme)
for (const id of [ids.choose, ids.example, ids.theme, ids.scan]) find<HTMLButtonElement>(id).disabled = false
for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const words = (button.dataset.copy ?? '').replaceAll('$ASSAY_URL', location.origin)
  button.dataset.copy = words
  const code = button.closest('div')?.parentElement?.querySelector('code')
  if (code) code.textContent = words
  button.addEventListener('click', () => void copy(button))
}
nameTheme()
void greet()
// What was typed before the script came, or kept by the browser over a reload, has no result yet.
if (source.value !== source.defaultValue) use(() => undefined)

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
  home.className = find(ids.entrance).lastElementChild?.className ?? ''
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
