import type { Page } from 'playwright-core'

/**
 * In the page: what is seen in reading order, a line each. Headings, fields, actions and parts with a name, with the token of their color and
 * ground; parts and headings also with the column where they begin. Widths of words are left out: they depend on the fonts of the machine.
 */
const read = `(() => {
  const probe = document.createElement('i')
  document.body.append(probe)
  const tokens = new Map()
  for (const name of ['ink', 'soft', 'page', 'panel', 'sunken', 'accent', 'accent-ink', 'accent-soft', 'critical', 'high', 'medium', 'low', 'info', 'good', 'field', 'line']) {
    probe.style.color = 'var(--' + name + ')'
    const { color } = getComputedStyle(probe)
    if (!tokens.has(color)) tokens.set(color, name)
  }
  probe.remove()
  const tokenOf = (color) => tokens.get(color) ?? (/, 0\\)$|^transparent$/.test(color) ? '' : color)
  const words = (element) => (element.getAttribute('aria-label') ?? element.innerText ?? '').trim()
    .replace(/\\s+/g, ' ').replace(/(scn|prj|fnd|req|key)_\\w+/g, 'ID').replace(/\\b[A-Z][a-z]{2} \\d+,? ?\\d*(?:, | at )?/g, 'DATE ')
    .replace(/\\d+:\\d\\d(:\\d\\d)? ?[AP]M/g, 'TIME').replace(/just now|\\d+ (second|minute|hour)s? ago/g, 'AGO').replace(/\\d+/g, 'N').slice(0, 60)
  const kinds = 'h1,h2,h3,section[aria-label],figure,nav,article,input:not([type=hidden]),select,textarea,button,a,th,dialog[open],[role=treeitem],[role=tree]'
  const lines = []
  for (const element of document.querySelectorAll(kinds)) {
    const box = element.getBoundingClientRect()
    if (!element.checkVisibility({ visibilityProperty: true }) || box.width < 2 || box.height < 2) continue
    const kind = element.getAttribute('role') ?? element.localName
    const { color, backgroundColor } = getComputedStyle(element)
    const isPart = /^(h1|section|figure|article|tree)$/.test(kind)
    // Which rules are named is the engine's matter.
    const isRule = element.matches('a[href^="/detectors/"]')
    lines.push([kind, JSON.stringify(isRule ? 'RULE' : words(element)), tokenOf(color), tokenOf(backgroundColor) && 'on ' + tokenOf(backgroundColor), isPart && 'at ' + Math.round(box.left / 8) * 8].filter(Boolean).join(' '))
  }
  return lines
})()`

export type Theme = 'light' | 'dark'

/** How a page looks in a theme, as text. */
export async function lookOf(page: Page, theme: Theme): Promise<string[]> {
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
  return (await page.evaluate(read)) as string[]
}

/** Light as it is; of dark what differs, as tokens have other values there and the same names. */
export function bothThemes(light: readonly string[], dark: readonly string[]): string {
  const differing = dark.flatMap((line, index) => (line === light[index] ? [] : [`dark ${index + 1}: ${line}`]))
  return `${[...light, ...differing].join('\n')}\n`
}
