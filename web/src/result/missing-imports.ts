import type { ViewScan } from './scan-view.ts'

/** The paths that the code imports and that were not sent, as the code writes them. */
export function missingImports({ diagnostics = [] }: Pick<ViewScan, 'diagnostics'>): string[] {
  const paths = diagnostics.flatMap(({ code, message }) =>
    code === 'import-missing' ? (/"([^"]+)"/.exec(message)?.[1] ?? []) : [],
  )
  return [...new Set(paths)]
}
