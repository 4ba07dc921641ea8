// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract TicketLottery {
    address public immutable house;
    uint256 public constant TICKET = 0.2 ether;
    mapping(address => uint8) public guessOf;
    mapping(address => uint256) public betBlock;

    constructor(address operator) payable {
        house = operator;
    }

    function play(uint8 guess) external payable {
        require(msg.value == TICKET, "ticket is 0.2 ether");
        require(guess < 4, "guess below 4");
        require(betBlock[msg.sender] == 0, "one bet at a time");
        guessOf[msg.sender] = guess;
        betBlock[msg.sender] = block.number;
    }

    function settle(address payable player, uint256 seed) external {
        require(msg.sender == house, "house settles");
        require(betBlock[player] != 0, "no bet");
        betBlock[player] = 0;
        if (seed % 4 == guessOf[player]) {
            player.transfer(3 * TICKET);
        }
    }

    receive() external payable {}
}
