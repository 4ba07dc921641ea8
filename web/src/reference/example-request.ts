import { exampleRequest as texts } from '../messages/reference.ts'
import type { Operation } from './read-document.ts'

export const languages = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof languages)[number]

export interface Sender {
  readonly base: string
  /** The reader's own; without it the lines name a variable. */
  readonly key?: string | undefined
}

/** Lines to paste that make this call. */
export const requestLines = (operation: Operation, language: Language, sender: Sender): string =>
  ({ curl: curlLines, TypeScript: typescriptLines, Python: pythonLines })[language](operation, sender)

/** `scanId` → `SCAN_ID`. */
const variableOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

const fillPath = (path: string, write: (variable: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => write(variableOf(name)))

const isUpload = ({ body }: Operation): boolean => body?.contentType === 'multipart/form-data'

/** Text parts that an upload needs beside the file. */
const formFields = ({ body }: Operation): string[] =>
  (body?.fields ?? []).filter(({ isRequired, type }) => isRequired && type !== 'file').map(({ name }) => name)

function curlLines(operation: Operation, { base, key }: Sender): string {
  const parts = [
    operation.method === 'GET' || isUpload(operation) ? '' : `-X ${operation.method}`,
    { none: '', key: `-H "X-API-Key: ${key ?? '$ASSAY_API_KEY'}"`, session: '-H "Authorization: Bearer $ASSAY_TOKEN"' }[
      operation.credential
    ],
    isUpload(operation) ? '-F file=@Contract.sol' : '',
    ...(isUpload(operation) ? formFields(operation).map((name) => `-F ${name}="$${variableOf(name)}"`) : []),
    ...jsonParts(operation),
  ].filter(Boolean)
  const url = base + fillPath(operation.path, (variable) => `$${variable}`)
  return `curl ${[...parts, `"${url}"`].join(' \\\n  ')}`
}

const jsonParts = ({ body }: Operation): string[] =>
  body?.contentType === 'application/json'
    ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example).replaceAll("'", "'\\''")}'`]
    : []

function typescriptLines(operation: Operation, { base, key }: Sender): string {
  const headers = {
    none: [],
    key: [`'X-API-Key': ${key ? `'${key}'` : 'process.env.ASSAY_API_KEY!'}`],
    session: [`Authorization: \`Bearer \${process.env.ASSAY_TOKEN}\``],
  }[operation.credential]
  const isJson = operation.body?.contentType === 'application/json'
  const all = [...headers, ...(isJson ? [`'Content-Type': 'application/json'`] : [])]
  const url = base + fillPath(operation.path, (variable) => `\${${variable}}`)
  return [
    ...(isUpload(operation)
      ? [
          `import { readFile } from 'node:fs/promises'`,
          '',
          texts.constFormNewFormdata,
          texts.formAppendFileNew,
          ...formFields(operation).map((name) => `form.append('${name}', process.env.${variableOf(name)}!)`),
          '',
        ]
      : []),
    texts.constResponseAwaitFetch(url),
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(all.length > 0 ? [`  headers: { ${all.join(', ')} },`] : []),
    ...(isUpload(operation) ? ['  body: form,'] : []),
    ...(isJson ? [`  body: JSON.stringify(${JSON.stringify(operation.body?.example)}),`] : []),
    '})',
    texts.consoleLogResponseStatus,
  ].join('\n')
}

function pythonLines(operation: Operation, { base, key }: Sender): string {
  const headers = {
    none: '',
    key: `{"X-API-Key": ${key ? `"${key}"` : 'os.environ["ASSAY_API_KEY"]'}}`,
    session: '{"Authorization": "Bearer " + os.environ["ASSAY_TOKEN"]}',
  }[operation.credential]
  const url = base + fillPath(operation.path, (variable) => `{${variable}}`)
  const data = formFields(operation).map((name) => `"${name}": os.environ["${variableOf(name)}"]`)
  return [
    texts.importJsonOsRequests,
    '',
    `answer = requests.request("${operation.method}", f"${url}",`,
    ...(headers ? [`    headers=${headers},`] : []),
    ...(isUpload(operation) ? ['    files={"file": open("Contract.sol", "rb")},'] : []),
    ...(isUpload(operation) && data.length > 0 ? [`    data={${data.join(', ')}},`] : []),
    ...(operation.body?.contentType === 'application/json'
      ? [`    json=json.loads(${JSON.stringify(JSON.stringify(operation.body.example))}),`]
      : []),
    ')',
    texts.printAnswerStatusCode,
  ].join('\n')
}
