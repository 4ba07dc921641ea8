// npm run package:vscode: editors/vscode as a .vsix, which is what `vsce package` writes; vsce itself asks for a newer Node.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { zipSync } from 'fflate'
import { build as buildTarget } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const extension = join(root, 'editors', 'vscode')

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
  ['.json', 'application/json'],
  ['.vsixmanifest', 'text/xml'],
  ['.cjs', 'application/javascript'],
  ['.js', 'application/javascript'],
  ['.md', 'text/markdown'],
  ['.txt', 'text/plain'],
]
  .map(([type, content]) => `<Default Extension="${type}" ContentType="${content}"/>`)
  .join('')}</Types>
`

interface Manifest {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly publisher: string
  readonly version: string
  readonly engines: { readonly vscode: string }
  readonly categories: readonly string[]
  readonly keywords: readonly string[]
}

const vsixManifest = (manifest: Manifest): string => `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}"/>
    <DisplayName>${manifest.displayName}</DisplayName>
    <Description xml:space="preserve">${manifest.description}</Description>
    <Tags>${manifest.keywords.join(',')}</Tags>
    <Categories>${manifest.categories.join(',')}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${manifest.engines.vscode}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`

/** The same bytes from the same sources: every entry has the date that npm gives to the files of a tarball, in local time as zip has it. */
const packedOn = new Date(1985, 9, 26, 8, 15)

/** Bundles the extension with the command and writes the package; its path comes back. */
export async function packageExtension(folder = join(extension, 'dist')): Promise<string> {
  await buildTarget(['cli'])
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(extension, 'src', 'extension.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    write: false,
    external: ['vscode'],
    outfile: 'extension.cjs',
  })
  const text = (path: string) => readFileSync(join(extension, path), 'utf8')
  const manifest: Manifest = JSON.parse(text('package.json'))
  const bytes = (content: string) => new TextEncoder().encode(content)
  const files = {
    '[Content_Types].xml': bytes(contentTypes),
    'extension.vsixmanifest': bytes(vsixManifest(manifest)),
    'extension/package.json': bytes(text('package.json')),
    'extension/README.md': bytes(text('README.md')),
    'extension/LICENSE.txt': new Uint8Array(readFileSync(join(root, 'LICENSE'))),
    'extension/dist/extension.cjs': outputFiles[0]?.contents ?? new Uint8Array(),
    // The command is made of modules; the extension itself is not.
    'extension/dist/assay/package.json': bytes('{"type":"module"}\n'),
    ...bundledCommand(),
  }
  const archive = zipSync(files, { mtime: packedOn })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${manifest.name}-${manifest.version}.vsix`)
  writeFileSync(file, archive)
  return file
}

function bundledCommand(): Record<string, Uint8Array> {
  const dist = join(root, 'cli', 'dist')
  const entries = readdirSync(dist, { withFileTypes: true, recursive: true }).filter(
    (entry) => entry.isFile() && /\.js$|NOTICES\.txt$/.test(entry.name),
  )
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(
    paths.map((path) => [`extension/dist/assay/${relative(dist, path)}`, new Uint8Array(readFileSync(path))]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${await packageExtension(process.argv[2])}\n`)
