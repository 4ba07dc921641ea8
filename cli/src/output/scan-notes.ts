import { scanNotes as texts } from '../messages/output.ts'
import { settingLine } from '../project/setting.ts'
import type { ProjectScan } from '../scan/outcome.ts'
import { plural } from './plural.ts'

/** What changed the result besides the source: settings of the project, what they left out, what was not read. */
export const scanNotes = ({ settings, hiddenCount, refused }: ProjectScan): string[] => [
  ...settings.map(settingLine),
  ...(hiddenCount > 0 ? [texts.leftOutOptionsSettings(plural(hiddenCount, 'finding was', 'findings were'))] : []),
  ...refused.map((path) => texts.outsideProjectNotRead(path)),
]
