/** Said on the first page, both by the application and by the page that is there before it has loaded. */
export const headline = 'Find vulnerabilities in your contracts before attackers do.'
export const lead =
  'Assay tracks data flow, call order and access control in Solidity 0.4 to 0.8, and shows each vulnerability in your code with the cause and the fix.'
export const promise = 'Runs entirely in your browser. Nothing is uploaded. No account needed.'
