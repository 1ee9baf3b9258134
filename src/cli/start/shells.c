/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/start/shells.h"
#include "cli/text.h"
#include "tile/arch.h"

#include <string.h>

/* clang-format off */
static const char zsh[] =
    "_tilefarm() {\n"
    "  local tilefarm=${~words[1]} previous=${words[CURRENT-1]} current=${words[CURRENT]} name values word family=\n"
    "  local -a found\n"
    "  if (( CURRENT == 2 )) || [[ ${words[2]} == help ]]; then\n"
    "    compadd -- ${=all} help --help --version\n"
    "    return\n"
    "  fi\n"
    "  for word in $words; do [[ \"|$families|\" == *\"|$word|\"* ]] && family=$word; done\n"
    "  while IFS=$'\\t' read -r name values; do\n"
    "    found+=($name)\n"
    "    [[ $name == $previous && -n $values ]] || continue\n"
    "    case $name,$values in\n"
    "    --board,*) compadd -- $(COLUMNS=0 $tilefarm describe ${family:+--arch} $family 2>/dev/null |\n"
    "      cut -d ' ' -f 1) ;;\n"
    "    --variant,*) compadd -- $(COLUMNS=0 $tilefarm list 2>/dev/null | awk -v words=\" $words \" '"
    TF_VARIANTS "') ;;\n"
    "    *CORE=*) compadd -S '' -- B= NC= T0= T1= T2= E0= E1= DRISC= ;;\n"
    "    *FILE*) _files ;;\n"
    "    *FOLDER*) _files -/ ;;\n"
    "    *'|'*) compadd -- ${(s:|:)values} ;;\n"
    "    esac\n"
    "    return\n"
    "  done < <($tilefarm ${words[2]} --help-words 2>/dev/null)\n"
    "  case ${words[2]},$current in\n"
    "  *,-*) compadd -- $found ;;\n"
    "  run,* | explore,*)\n"
    "    compadd -- $(COLUMNS=0 $tilefarm list 2>/dev/null | sed -n 's/^\\([a-z0-9-]*\\) .*/\\1/p') ;;\n"
    "  bench,* | litmus,*) compadd -- $(COLUMNS=0 $tilefarm ${words[2]} --list 2>/dev/null | cut -d ' ' -f 1) ;;\n"
    "  *) _files ;;\n"
    "  esac\n"
    "}\n"
    "_tilefarm \"$@\"\n";

static const char fish[] =
    "function __tilefarm_complete\n"
    "  set -l words (commandline -opc)\n"
    "  set -l current (commandline -ct)\n"
    "  set -l tilefarm $words[1]\n"
    "  set -l family\n"
    "  for word in $words\n"
    "    contains -- $word (string split '|' $__tilefarm_families); and set family --arch $word\n"
    "  end\n"
    "  set -l found\n"
    "  for line in ($tilefarm $words[2] --help-words 2>/dev/null)\n"
    "    set -l pair (string split \\t -- $line)\n"
    "    set -a found $pair[1]\n"
    "    if test \"$pair[1]\" = \"$words[-1]\" -a -n \"$pair[2]\"\n"
    "      switch \"$pair[1],$pair[2]\"\n"
    "        case '--board,*'\n"
    "          env COLUMNS=0 $tilefarm describe $family 2>/dev/null | string replace -r ' .*' ''\n"
    "        case '--variant,*'\n"
    "          env COLUMNS=0 $tilefarm list 2>/dev/null | awk -v words=\" $words \" '" TF_VARIANTS "' |\n"
    "            string split -n ' '\n"
    "        case '*CORE=*'\n"
    "          printf '%s\\n' B= NC= T0= T1= T2= E0= E1= DRISC=\n"
    "        case '*FILE*' '*FOLDER*'\n"
    "          __fish_complete_path $current\n"
    "        case '*|*'\n"
    "          string split '|' -- $pair[2]\n"
    "      end\n"
    "      return\n"
    "    end\n"
    "  end\n"
    "  switch \"$words[2],$current\"\n"
    "    case '*,-*'\n"
    "      printf '%s\\n' $found\n"
    "    case 'run,*' 'explore,*'\n"
    "      env COLUMNS=0 $tilefarm list 2>/dev/null | string match -r '^[a-z0-9-]+'\n"
    "    case 'bench,*' 'litmus,*'\n"
    "      env COLUMNS=0 $tilefarm $words[2] --list 2>/dev/null | string match -r '^[^ ]+'\n"
    "    case 'help,*'\n"
    "      string split ' ' -- $__tilefarm_commands\n"
    "    case '*'\n"
    "      __fish_complete_path $current\n"
    "  end\n"
    "end\n"
    "complete -c tilefarm -f -n 'test (count (commandline -opc)) -eq 1' "
    "-a \"$__tilefarm_commands help --help --version\"\n"
    "complete -c tilefarm -f -n 'test (count (commandline -opc)) -gt 1' -a '(__tilefarm_complete)'\n";
/* clang-format on */

static void print_commands(const struct tf_command *command, size_t commands)
{
    for (size_t i = 0; i < commands; i++)
        printf("%s%s", i > 0 ? " " : "", command[i].name);
}

int tf_shells_print(const char *shell, const struct tf_command *command, size_t commands)
{
    bool is_zsh = strcmp(shell, "zsh") == 0;
    if (!is_zsh && strcmp(shell, "fish") != 0) {
        tf_cli_error("--completion: '%s' is not 'bash', 'zsh' or 'fish'", shell);
        return TF_EXIT_USAGE;
    }
    printf("%s tilefarm %s\n%s'", is_zsh ? "#compdef tilefarm\n# zsh completion for" : "# fish completion for",
           tf_version(), is_zsh ? "local all=" : "set -g __tilefarm_commands ");
    print_commands(command, commands);
    printf("'\n%s'" TF_CLI_FAMILY_NAMES "'\n%s", is_zsh ? "local families=" : "set -g __tilefarm_families ",
           is_zsh ? zsh : fish);
    return tf_cli_finish(TF_EXIT_OK);
}
