/** The parts of the page that its script knows. */
export const ids = {
  source: 'source',
  name: 'source-name',
  picker: 'source-file',
  choose: 'choose-file',
  numbers: 'line-numbers',
  layer: 'line-layer',
  problem: 'source-problem',
  result: 'live-result',
  exploit: 'example-exploit',
  scan: 'scan',
  example: 'load-example',
  theme: 'theme',
  entrance: 'entrance',
} as const
