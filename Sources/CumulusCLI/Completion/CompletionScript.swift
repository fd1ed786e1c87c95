// SPDX-License-Identifier: Apache-2.0

/// The scripts that let a shell ask the command for completions.
///
/// They only pass on words: ``Completion`` alone decides what is allowed.
enum CompletionScript: String, CaseIterable {
    case bash
    case zsh
    case fish

    var text: String {
        switch self {
        case .bash: CompletionScript.bashText
        case .zsh: CompletionScript.zshText
        case .fish: CompletionScript.fishText
        }
    }

    private static let bashText = #"""
        # bash completion for cumulus; written by: cumulus completions bash
        _cumulus() {
            local line=${COMP_LINE:0:COMP_POINT} piece=${COMP_WORDS[COMP_CWORD]} word="" prefix candidate
            local -a words
            read -ra words <<< "$line"
            # The word in the shell's own sense: bash breaks it at : and = and @.
            case $line in *[[:space:]]) words+=("") ;; esac
            word=${words[${#words[@]}-1]}
            case $piece in :|=|@) piece="" ;; esac
            # readline replaces an @ with what is behind it.
            prefix=${word%"$piece"} prefix=${prefix%@}
            COMPREPLY=()
            while IFS=$'\t' read -r candidate _; do
                candidate=${candidate#"$prefix"}
                [ -n "$candidate" ] && COMPREPLY+=("$(printf %q "$candidate")")
            done < <("${COMP_WORDS[0]}" __complete "${words[@]:1}" 2>/dev/null)
            case ${#COMPREPLY[@]}:${COMPREPLY[0]-} in 1:*[/:=@]) compopt -o nospace ;; esac
        }
        complete -F _cumulus cumulus
        """#

    private static let zshText = #"""
        #compdef cumulus
        # zsh completion for cumulus; written by: cumulus completions zsh
        _cumulus() {
            local line shown
            local -a parts whole open wholeShown openShown list
            for line in "${(@f)$("${words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
                parts=("${(@ps:\t:)line}")
                [[ -z $parts[1] ]] && continue
                shown=$parts[1]
                if [[ -n $parts[2] ]]; then
                    (( $#shown < 20 )) && shown=${(r:20:)shown}
                    shown="$shown  $parts[2]" list=(-l)
                fi
                shown=${shown[1,COLUMNS-1]}
                if [[ $parts[1] == *[/:=@] ]]; then
                    open+=("$parts[1]") openShown+=("$shown")
                else
                    whole+=("$parts[1]") wholeShown+=("$shown")
                fi
            done
            (( $#whole )) && compadd $list -d wholeShown -- "${whole[@]}"
            (( $#open )) && compadd $list -S '' -d openShown -- "${open[@]}"
            (( $#whole + $#open ))
        }
        if [ "$funcstack[1]" = "_cumulus" ]; then _cumulus "$@"; else compdef _cumulus cumulus; fi
        """#

    private static let fishText = #"""
        # fish completion for cumulus; written by: cumulus completions fish
        function __cumulus_complete
            set -l words (commandline -opc) (commandline -ct)
            $words[1] __complete $words[2..-1] 2>/dev/null
        end
        complete -c cumulus -f -a '(__cumulus_complete)'
        """#
}
