interface Found {
  readonly detector: string
  readonly line: number
  readonly file?: string
  readonly places?: readonly { readonly file?: string; readonly line: number }[]
}

export interface FoundResult {
  /** Of the command's results: the path. */
  readonly file: string
  readonly dataVulnerabilities: readonly Found[]
  readonly advisories: readonly Found[]
}

/** A cause that stands in several files is one finding for the service and several for the command: places are what is compared. */
export const placesOf = (results: readonly FoundResult[]): string[] =>
  results
    .flatMap((result) =>
      [...result.dataVulnerabilities, ...result.advisories].flatMap(({ detector, line, file, places = [] }) =>
        [{ file, line }, ...places].map((place) => `${detector} ${place.file ?? file ?? result.file}:${place.line}`),
      ),
    )
    .sort()
