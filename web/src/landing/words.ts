/** Said on the first page, both by the application and by the page that is there before it has loaded. */
export const headline = 'Know what is wrong with a contract before anyone else does.'
export const lead =
  'Assay reads Solidity 0.4 to 0.8, follows data, order and guards, and shows each weakness at its line: why it is one, and how to fix it.'
export const promise = 'The engine runs in your browser. Nothing is uploaded, no account is needed.'
