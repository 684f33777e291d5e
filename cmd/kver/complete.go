package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/kver-cli/kver/internal/catalog"
)

// newCompletion replaces cobra's completion command, which takes a shell that
// it does not know for a success.
func newCompletion(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write the completion script of a shell: bash, zsh, fish or powershell",
		Long: `Write the script that completes commands, flags, releases, API names and states
in a shell: bash, zsh, fish or powershell. Load it in the shell's start-up file:

  bash         source <(kver completion bash)   needs the package bash-completion
  zsh          source <(kver completion zsh)    after compinit
  fish         kver completion fish | source
  powershell   kver completion powershell | Out-String | Invoke-Expression`,
		Example:   `  kver completion bash > kver.bash`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("completion takes one shell: bash, zsh, fish or powershell")
			}
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w.stdout, true)
			case "zsh":
				return root.GenZshCompletion(w.stdout)
			case "fish":
				return root.GenFishCompletion(w.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(w.stdout)
			}
			return usagef("no completion for %q; the shells are bash, zsh, fish and powershell", args[0])
		},
	}
}

// complete offers the values of a flag that takes one of them.
func complete(cmd *cobra.Command, flag string, values ...string) {
	// The only error is a flag that does not exist or has completion already.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeList offers the values of a flag that takes a comma list: those not
// yet in it, after what is already typed.
func completeList(cmd *cobra.Command, flag string, values []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		word := typed[len(before):]
		var offers []string
		for _, v := range values {
			if len(v) >= len(word) && strings.EqualFold(v[:len(word)], word) && !strings.Contains(","+before, ","+v+",") {
				offers = append(offers, before+v)
			}
		}
		return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// completeTargets offers the releases that are known by name once a word begins
// like one, and the shell's own file names before that.
func completeTargets(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, name := range catalog.Names() {
		if typed != "" && strings.HasPrefix(name, typed) {
			offers = append(offers, name)
		}
	}
	return offers, cobra.ShellCompDirectiveDefault
}
