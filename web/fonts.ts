import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subsetFont from 'subset-font'

const require = createRequire(import.meta.url)
/** The printable part of ASCII, and the signs that the texts use. Names in other scripts are shown in a font of the system. */
const characters = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))}\u00a0©·×–—‘’“”…•−→←↑↓✓≥≤`

/** The shipped typefaces, and the glyphs that ship: the whole of both weighs 90 KB. */
const fonts = {
  // Digits of one width in tables; no other feature of the font is used.
  inter: { from: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', features: ['tnum'] },
  // Without ligatures: a mark under two characters must not cover a third.
  'jetbrains-mono': {
    from: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    features: [],
  },
} as const

/** Writes the fonts that the style names, cut down to what the dashboard shows. */
export async function writeFonts(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const [name, { from, features }] of Object.entries(fonts)) {
    const font = await subsetFont(readFileSync(require.resolve(from)), characters, {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: 400, max: 600 } },
      keepFeatures: [...features],
      noHinting: true,
    })
    writeFileSync(join(folder, `${name}.woff2`), font)
  }
}

export const fontLicenses = (): [name: string, text: string][] =>
  Object.entries(fonts).map(([name, { from }]) => [
    name,
    readFileSync(join(dirname(require.resolve(from)), '../LICENSE'), 'utf8'),
  ])
