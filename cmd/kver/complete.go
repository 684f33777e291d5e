package main

import (
	"strings"

	"github.com/spf13/cobra"
)

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
