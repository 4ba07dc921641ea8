import { Field } from '../components/controls.tsx'
import { choiceFields as texts } from '../messages/keys.ts'
import { type Scope, scopeNames, scopeWords } from './read-choices.ts'

interface Chosen {
  readonly scopes: readonly Scope[]
  readonly requestsPerHour: number | null
  readonly scansPerDay: number | null
}

const everything: Chosen = { scopes: scopeNames, requestsPerHour: null, scansPerDay: null }

/** Scopes and own limits of a key, as `readChoices` reads them. */
export function ChoiceFields({ chosen = everything }: { chosen?: Chosen }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <fieldset className="sm:col-span-2">
        <legend className="mb-1 text-sm font-medium">Permissions</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {scopeNames.map((scope) => (
            <label key={scope} className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                name="scope"
                value={scope}
                defaultChecked={chosen.scopes.includes(scope)}
                className="size-4 accent-(--accent)"
              />
              {scopeWords[scope]}
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        label={texts.scansDay}
        name="scansPerDay"
        type="number"
        min={1}
        defaultValue={chosen.scansPerDay ?? ''}
        hint={texts.leaveEmptyUsePlan}
      />
      <Field
        label={texts.requestsHour}
        name="requestsPerHour"
        type="number"
        min={1}
        defaultValue={chosen.requestsPerHour ?? ''}
        hint={texts.leaveEmptyUsePlan}
      />
    </div>
  )
}
