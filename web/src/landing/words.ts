/** Said on the first page, both by the application and by the page that is there before it has loaded. */
import { words as texts } from '../messages/landing.ts'

export const headline = texts.findVulnerabilitiesYourContracts
export const lead = texts.assayTracksDataFlow
export const promise = texts.runsEntirelyYourBrowser
